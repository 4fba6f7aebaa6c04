/** In English: the pictures of a head, and what the figures themselves say. */
export const pictures = {
  "picture.label": "Picture",
  "picture.more": "More",
  "picture.heatmap": "Heatmap",
  "picture.lines": "Lines",
  "picture.dimensions": "Dimensions",
  "picture.mask": "Mask",
  "picture.positions": "Positions",

  "stage.label": "Stage",
  "stage.raw": "raw",
  "stage.scores": "scores",
  "stage.masked": "masked",
  "stage.weights": "weights",
  "stage.raw.hint": "Query · key, before scaling.",
  "stage.scores.hint": "Query · key ÷ √{size}.",
  "stage.masked.hint": "Scores with forbidden cells at minus infinity.",
  "stage.weights.hint": "After softmax: every row adds up to 1.",
  "stage.weights.emptyRows":
    "After softmax: every row adds up to 1, except rows that may look nowhere, which are all 0.",
  "stage.edited": "As your edits make them.",

  "mask.hint":
    "Who may look at whom. Turn on “Block cells” or open “Masks” on the bench to change it.",
  "mask.block":
    "Click a cell, or paint over many, to block them, and once more to allow them again. What the model itself masks is opened.",

  "positions.rotary":
    "By what queries and keys are turned, so that their product knows how far apart they stand: cosines, then sines.",
  "positions.relative":
    "What joins every score because of the distance between query and key: a query’s position less a key’s.",
  "positions.hint": "What the model adds to each token so that it knows the order.",

  "colours.label": "Colours of the weights",
  "colours.blue": "Indigo",
  "colours.cividis": "Cividis",
  "colours.viridis": "Viridis",

  "block.mode": "Block cells",
  "block.hint":
    "Click a cell, or paint over many: these queries may no longer look at those keys. From a masked cell on, painting opens.",
  "paint.help":
    "Shift with the arrows lays out a rectangle; Enter or Space blocks it, or opens it where its first cell is closed.",
  "paint.helpMark": "Shift with the arrows lays out a rectangle; Enter or Space fills it.",
  "paint.range": "Laid out: {rows} {rows|query|queries} by {columns} {columns|key|keys}",

  "lines.hint":
    "From each query to the keys it looks at: the wider the line, the larger the weight.",
  "lines.block": "Click a line: this query may no longer look at that key.",
  "lines.mass": "Lines that hold {mass}% of the weight",
  "lines.links": "{links} of {all} lines",
  "lines.heads": "Heads of this layer",
  "lines.head": "head {head}",
  "lines.add": "Draw head {head} beside it",
  "lines.table": "Weights of head {head}",

  "dimensions.hint": "The query times each key, number by number. The products add up to q · k.",
  "dimensions.block": "Click a key: this query may no longer look at it.",
  "dimensions.query": "Query",
  "dimensions.option": "{position} · {query}",
  "dimensions.pair": "q · k {raw}, scaled {scores}, weight {weight}",
  "dimensions.pairEdited": "raw {raw}, score {scores}, weight {weight}",
  "dimensions.product": "{dimension}: {query} × {key} = {product}",
  "dimensions.keysTable": "The query {query} and every key",
  "dimensions.pairTable": "{query} and {key}, dimension by dimension",
  "dimensions.sum": "sum",

  "figure.lines": "Lines: {queries} queries by {keys} keys, {links} links",
  "figure.dimensions": "Dimensions of the query {query}: {keys} keys by {dimensions} dimensions",
  "figure.helpLines":
    "Up and down move from token to token, left to the queries, right to the keys. Enter locks, Escape lets go, B blocks or allows.",
  "figure.helpDimensions":
    "Up and down move from key to key, left and right from query to query. Enter locks, Escape lets go, B blocks or allows.",
  "figure.query": "query",
  "figure.key": "key",
  "figure.mass": "mass received",
  "figure.masses": "below: mass received; right: mass given",
  "figure.rowSum": "sum",
  "figure.heatmap":
    "Attention, {stage}: {queries} {queries|query|queries} by {keys} {keys|key|keys}",
  "figure.mask":
    "Mask: {queries} {queries|query|queries} by {keys} {keys|key|keys}, {allowed} {allowed|pair|pairs} allowed",
  "figure.positions":
    "Positional encoding: {positions} {positions|position|positions} by {dimensions} {dimensions|dimension|dimensions}",
  "figure.help": "Arrow keys move, Enter locks, Escape lets go, B blocks or allows.",
  "figure.helpPositions": "Arrow keys move from number to number.",
  "figure.empty": "Nothing to show yet.",
  "figure.malformed":
    "The property {property} cannot be drawn: it takes {expected}, and was given {got}.",
  "figure.misfit":
    "This matrix is {rows} × {columns}, but {queries} and {keys} tokens were given for its axes.",
  "figure.numbers": "{title}: {rows} by {columns}",
  "figure.numbersCell": "{query}, {key}: {value}",
  "figure.cell": "{query} looks at {key}: {value}",
  "figure.maskedCell": "masked",
  "figure.droppedCell": "dropped",
  "figure.blockedCell": "blocked by you",
  "figure.emptyRow": "may look at nothing",
  "figure.allowed": "may look",
  "figure.forbidden": "may not look",
  "figure.showNumbers": "Show the numbers",
  "figure.hideNumbers": "Hide the numbers",
  "figure.oneRow": "The numbers of one row at a time: {query}",
  "figure.value": "value",
  "figure.position": "position",
  "figure.dimension": "dimension",
  "figure.positionCell": "Position {position}, dimension {dimension}: {value}",
  "figure.distance": "distance",
  "figure.head": "head",
  "figure.distanceCell": "Distance {distance}, head {head}: {value}",
  "figure.relative":
    "Relative positions: {distances} {distances|distance|distances} by {heads} {heads|head|heads}",
  "figure.wavesOfHeads": "Single heads along the distance",
  "figure.waves": "Single dimensions along the text",
  "region.nearer": "Zoom in",
  "region.further": "Zoom out",
  "region.all": "Show all",
  "region.shown":
    "Queries {firstQuery}–{lastQuery} of {queries}, keys {firstKey}–{lastKey} of {keys}",
  "region.help": "Plus and minus zoom in and out, zero shows all.",
} as const;
