import { HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import type { Extension } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { tags } from "@lezer/highlight"

/** Colours are variables of the page, so that they follow its colour scheme. */
const look = EditorView.theme({
  "&": { height: "100%", fontSize: "0.78125rem", backgroundColor: "transparent", color: "var(--mantine-color-text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.65" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--mantine-color-text)" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--mantine-color-text)", borderLeftWidth: "1.5px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--ms-selection)",
  },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--ms-gutter)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "36px", padding: "0 8px 0 12px" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--ms-active-line)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--mantine-color-dimmed)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--ms-selection)", outline: "none" },
  ".cm-variable": { color: "var(--ms-syntax-variable)", fontWeight: "600" },
  ".cm-variable *": { color: "inherit" },
  ".cm-block": { color: "var(--ms-syntax-block)", fontWeight: "600" },
  ".cm-block *": { color: "inherit" },
  ".cm-remark": { color: "var(--mantine-color-dimmed)", fontStyle: "italic" },
  ".cm-remark *": { color: "inherit" },
  ".cm-tooltip": {
    border: "1px solid var(--ms-line)",
    borderRadius: "8px",
    backgroundColor: "var(--ms-raised)",
    boxShadow: "var(--mantine-shadow-md)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mantine-font-family)",
    fontSize: "0.8125rem",
    maxHeight: "15em",
  },
  ".cm-tooltip-autocomplete ul li": { padding: "5px 12px !important", lineHeight: "1.4" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--ms-chosen) !important",
    color: "var(--mantine-color-text) !important",
  },
  ".cm-completionDetail": { marginLeft: "10px", fontStyle: "normal", color: "var(--mantine-color-dimmed)" },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-diagnostic": { padding: "7px 12px", fontFamily: "var(--mantine-font-family)", fontSize: "0.8125rem" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--mantine-color-error)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--mantine-color-error) 1.2px",
    textUnderlineOffset: "3px",
  },
  ".cm-panels": {
    backgroundColor: "var(--ms-raised)",
    color: "var(--mantine-color-text)",
    borderColor: "var(--ms-line) !important",
  },
  ".cm-panel.cm-search": { padding: "8px 10px", fontSize: "0.8125rem" },
  ".cm-textfield": {
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "4px",
    backgroundColor: "var(--ms-pane)",
    color: "inherit",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--ms-pane)",
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "4px",
    color: "inherit",
  },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--ms-new) 32%, transparent)" },
  ".cm-foldPlaceholder": {
    border: "none",
    backgroundColor: "var(--ms-selection)",
    color: "inherit",
    padding: "0 6px",
  },
})

const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "var(--ms-syntax-tag)" },
  { tag: [tags.attributeName, tags.propertyName], color: "var(--ms-syntax-name)" },
  { tag: [tags.attributeValue, tags.string, tags.color, tags.number, tags.unit], color: "var(--ms-syntax-value)" },
  { tag: [tags.comment, tags.documentMeta], color: "var(--mantine-color-dimmed)" },
  { tag: tags.heading, fontWeight: "600" },
])

export const theme: Extension = [look, syntaxHighlighting(colours)]
