import { singleFile } from "./single-file.ts";

export default singleFile("anywidget", "notebook/anywidget.ts");
