--- Runs the shortcode of the Quarto extension in pandoc itself: what of Quarto it calls is here.
--
-- `headscope.lua` and the document are named in the metadata `extension` and `document`. A
-- paragraph that is a shortcode alone is its block; Quarto reads more forms than the one here.

local settings
local result = { dependencies = {}, header = {} }

quarto = {
  doc = {
    is_format = function(name)
      return name == "html:js" and FORMAT:match("^html") ~= nil
    end,
    add_html_dependency = function(dependency)
      result.dependencies[#result.dependencies + 1] = dependency
    end,
    include_text = function(_, text)
      result.header[#result.header + 1] = text
    end,
  },
}

local function arguments(text)
  local args, kwargs = {}, {}
  for name, value in text:gmatch('([%a-]+)="([^"]*)"') do
    kwargs[name] = pandoc.Inlines(value)
  end
  for word in text:gsub('[%a-]+="[^"]*"', ""):gmatch("%S+") do
    local name, value = word:match("^([%a-]+)=(.+)$")
    if name then
      kwargs[name] = pandoc.Inlines(value)
    else
      args[#args + 1] = pandoc.Inlines(word)
    end
  end
  return args, kwargs
end

local function Meta(meta)
  settings = meta
  quarto.doc.input_file = pandoc.utils.stringify(meta.document)
end

local function CodeBlock(block)
  local text = block.text:match("^{{< headscope (.*) >}}$")
  if not text then
    return nil
  end
  local shortcodes = dofile(pandoc.utils.stringify(settings.extension))
  local args, kwargs = arguments(text)
  return shortcodes.headscope(args, kwargs, settings, args, "block")
end

local function Pandoc(document)
  for _, dependency in ipairs(result.dependencies) do
    for _, script in ipairs(dependency.scripts) do
      local tag = '<script type="%s" src="%s"></script>'
      result.header[#result.header + 1] = tag:format(script.attribs.type, script.path)
    end
  end
  document.meta["header-includes"] = pandoc.RawBlock("html", table.concat(result.header, "\n"))
  return document
end

return { { Meta = Meta }, { CodeBlock = CodeBlock }, { Pandoc = Pandoc } }
