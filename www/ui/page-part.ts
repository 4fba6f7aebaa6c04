import { LitElement } from "lit";
import { PartsController } from "../elements/shared/controllers.js";
import { LanguageController } from "../i18n/index.js";

/** A part of the page that speaks the page's language: it renders again when that changes. */
export class PagePart extends LitElement {
  constructor() {
    super();
    new LanguageController(this);
    new PartsController(this);
  }
}
