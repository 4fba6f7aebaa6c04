export default { title: "Heads", root: "src", pager: false, search: false };
