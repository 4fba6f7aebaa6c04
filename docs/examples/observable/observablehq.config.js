export default {
  title: "Heads",
  root: "src",
  pager: false,
  search: false,
  // The default font is of another host.
  globalStylesheets: [],
};
