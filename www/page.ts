/** The page as an entry of the package, which shares its scripts: index.html loads it. */
import "./styles/page.css";
import "./main.js";
