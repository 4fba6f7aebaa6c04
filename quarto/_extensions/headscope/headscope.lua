--- The shortcode of figures in Quarto: {{< headscope figure.json alt="…" >}}.
--
-- In pages and slides it is the figure with its numbers inside, so that one self-contained file
-- works too; in PDF and every other format it is the picture beside the numbers. `figure=lines`
-- draws a file of one tensor as lines, other names are attributes of the element. A figure of a model needs the
-- address of a script that runs it: `headscope: { script: … }` in the document's settings.

local stringify = pandoc.utils.stringify

local function refuse(code, words)
  error("headscope: " .. words .. " (docs/" .. code .. ")", 0)
end

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local function escape(text)
  return (text:gsub('[&<>"]', ESCAPES))
end

--- The path of a file that a document names.
local function beside(name)
  return pandoc.path.join({ pandoc.path.directory(quarto.doc.input_file), name })
end

--- The content of a file beside the document, or nil.
local function content(name)
  local file = io.open(beside(name), "rb")
  if not file then
    return nil
  end
  local text = file:read("a")
  file:close()
  return text
end

--- The figure whose numbers a file has, false for a tensor; nil for a file of something else.
local function saved_figure(json)
  local readable, file = pcall(pandoc.json.decode, json)
  local form = readable and type(file) == "table" and file.format
  if form == "headscope-figure" then
    return file.figure
  end
  if form == "headscope-tensor" then
    return false
  end
  return nil
end

--- The arguments of the shortcode: the file of numbers, and the attributes.
local function given(args, kwargs)
  local attributes = {}
  for name, value in pairs(kwargs) do
    attributes[name] = stringify(value)
  end
  local numbers = args[1] and stringify(args[1]) or attributes.src
  attributes.src = nil
  return numbers, attributes
end

--- Takes an attribute out of a table; nil where it is empty.
local function take(attributes, name)
  local value = attributes[name]
  attributes[name] = nil
  return value ~= "" and value or nil
end

--- Adds the script to the page, once.
local function add_script(script)
  if script then
    local tag = '<script type="module" src="' .. escape(script) .. '"></script>'
    quarto.doc.include_text("in-header", tag)
    return
  end
  quarto.doc.add_html_dependency({
    name = "headscope",
    version = "0.1.0",
    scripts = { { path = "headscope-figures.js", attribs = { type = "module" } } },
  })
end

local function element(tag, attributes, inside)
  local names = {}
  for name in pairs(attributes) do
    names[#names + 1] = name
  end
  table.sort(names)
  local written = {}
  for _, name in ipairs(names) do
    written[#written + 1] = " " .. name .. '="' .. escape(attributes[name]) .. '"'
  end
  return "<" .. tag .. table.concat(written) .. ">" .. inside .. "</" .. tag .. ">"
end

local function headscope(args, kwargs, meta, _, context)
  local numbers, attributes = given(args, kwargs)
  local figure = take(attributes, "figure")
  local alt = take(attributes, "alt")
  local picture = take(attributes, "picture")
  local script = meta.headscope and meta.headscope.script and stringify(meta.headscope.script)
  if not alt then
    refuse("no-alt", "say in alt what the figure shows, for readers who do not see it.")
  end
  if not numbers and not attributes.model then
    refuse("no-numbers", "name the file of numbers that the page saved, or a model and a text.")
  end
  if not numbers and not script then
    refuse("no-script", "a model needs a script that runs it: name it in headscope › script.")
  end
  local json = numbers and content(numbers)
  if numbers and not json then
    refuse("no-file", "there is no file " .. numbers .. " beside the document.")
  end
  local saved = json and saved_figure(json)
  if json and saved == nil then
    refuse("not-saved", numbers .. " is no JSON file that Headscope saved.")
  end
  if saved and figure and saved ~= figure then
    refuse("other", numbers .. " has the numbers of another figure: leave figure=" .. figure .. " out.")
  end
  if picture and not content(picture) then
    refuse("no-file", "there is no file " .. picture .. " beside the document.")
  end
  if not picture and numbers then
    local svg = numbers:gsub("%.json$", ".svg")
    picture = svg ~= numbers and content(svg) and svg or nil
  end

  if quarto.doc.is_format("html:js") then
    add_script(script)
    local inside = picture and '<img src="' .. escape(picture) .. '" alt="' .. escape(alt) .. '">'
      or escape(alt)
    if json then
      -- No text in JSON may end the element around it.
      local safe = json:gsub("<", "\\u003c")
      inside = '<script type="application/json">' .. safe .. "</script>" .. inside
    end
    local html = element("headscope-" .. (saved or figure or "heatmap"), attributes, inside)
    if context == "block" then
      return pandoc.RawBlock("html", html)
    end
    return pandoc.RawInline("html", html)
  end
  local shown = picture and pandoc.Image({ pandoc.Str(alt) }, picture) or pandoc.Str(alt)
  if context == "block" then
    return pandoc.Para({ shown })
  end
  return shown
end

return { ["headscope"] = headscope }
