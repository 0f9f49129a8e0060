import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from "@mantine/core"

/** Buttons of the `subtle` variant have no background until they are hovered. */
const variants: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  if (input.variant !== "subtle") return colors
  const color =
    input.color === "gray"
      ? "dimmed"
      : input.color === undefined || input.color === input.theme.primaryColor
        ? "anchor"
        : undefined
  const hover = "color-mix(in srgb, var(--mantine-color-text) 7%, transparent)"
  return color ? { ...colors, hover, color: `var(--mantine-color-${color})` } : colors
}

/** Not in the tab order: Tab goes to the content of the dialog, and Escape closes it. */
const closeButtonProps = { "aria-label": "Close", tabIndex: -1 }

/** Keys go to the focused element, so a closed dialog must not keep the focus while it fades out. */
const goneAtOnce = { transition: "fade-down", duration: 200, exitDuration: 0 } as const

const overlay = { overlayProps: { backgroundOpacity: 0.35 } }

/**
 * Neutral greys, one colour (ink) for what can be acted on, and one (brass) for what is new. The
 * components are named and not imported: not every page needs them.
 */
export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 6, dark: 5 },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  variantColorResolver: variants,
  components: {
    Modal: {
      defaultProps: { ...overlay, radius: "lg", padding: "lg", closeButtonProps, transitionProps: goneAtOnce },
      styles: { title: { fontSize: "1rem", fontWeight: 650 } },
    },
    Drawer: { defaultProps: overlay },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } },
    SegmentedControl: {
      defaultProps: { withItemsBorders: false },
      styles: { label: { fontWeight: 500 } },
    },
    Menu: { defaultProps: { shadow: "lg" } },
    Popover: { defaultProps: { shadow: "lg", radius: "md" } },
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  headings: { fontWeight: "650" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "12px", xl: "16px" },
  colors: {
    ink: ["#eef0fb", "#dbdff5", "#b9c1ec", "#95a1e3", "#7684da", "#5d6cd0", "#4a59c2", "#3f4da9", "#343f8b", "#29326d"],
    brass: [
      "#fdf6e7",
      "#f9e9c7",
      "#f2d596",
      "#ebc066",
      "#e5ad48",
      "#d99a2b",
      "#b97f1d",
      "#946517",
      "#714d13",
      "#4f360e",
    ],
    red: ["#fdf0ef", "#f9dad8", "#f0b3af", "#e68a84", "#dc6760", "#c94840", "#c23d35", "#a8322b", "#872823", "#671f1b"],
    gray: [
      "#f9f9fa",
      "#f3f3f5",
      "#e9e9ed",
      "#dedee3",
      "#c6c6ce",
      "#9d9da8",
      "#686873",
      "#4c4c56",
      "#35353d",
      "#1d1d22",
    ],
    dark: [
      "#dcdce2",
      "#b8b8c1",
      "#9696a1",
      "#63636e",
      "#36363e",
      "#2b2b32",
      "#222228",
      "#19191d",
      "#141417",
      "#0f0f11",
    ],
  },
})

/** The surfaces of the shell, in addition to Mantine's variables. */
export const surfaces: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-text": "#1f1f25",
    "--mantine-color-dimmed": "#686873",
    "--mantine-color-default-border": "#dedee3",
    "--mantine-color-placeholder": "#6d6d78",
    "--ms-side": "#f5f5f3",
    "--ms-list": "#ffffff",
    "--ms-pane": "#fbfbfa",
    "--ms-raised": "#ffffff",
    "--ms-line": "#e8e8e6",
    "--ms-hover": "#f4f4f3",
    "--ms-chosen": "#eef0fb",
    "--ms-new": "#d99a2b",
    "--ms-code": "#f6f6f5",
    "--ms-edge": "rgb(20 20 30 / 14%)",
    "--ms-selection": "#dbdff5",
    "--ms-active-line": "#f6f6f8",
    "--ms-gutter": "#6d6d78",
    "--ms-syntax-tag": "#3f4da9",
    "--ms-syntax-name": "#6a5a8c",
    "--ms-syntax-value": "#2f6f4f",
    "--ms-syntax-variable": "#8a5a0b",
    "--ms-syntax-block": "#a8322b",
    "--ms-notice": "#7a5410",
    "--ms-notice-ground": "#fdf6e7",
    "--ms-shadow": "0 1px 2px rgb(20 20 30 / 5%), 0 4px 16px rgb(20 20 30 / 5%)",
  },
  dark: {
    "--mantine-color-text": "#e6e6ea",
    "--mantine-color-dimmed": "#9696a1",
    "--mantine-color-default-border": "#36363e",
    "--mantine-color-placeholder": "#8e8e99",
    "--mantine-color-error": "#e68a84",
    "--ms-side": "#131316",
    "--ms-list": "#19191d",
    "--ms-pane": "#161619",
    "--ms-raised": "#1f1f24",
    "--ms-line": "#29292f",
    "--ms-hover": "#202025",
    "--ms-chosen": "#262a44",
    "--ms-new": "#e5ad48",
    "--ms-code": "#121215",
    "--ms-edge": "rgb(255 255 255 / 14%)",
    "--ms-selection": "#343a63",
    "--ms-active-line": "#1e1e23",
    "--ms-gutter": "#8e8e99",
    "--ms-syntax-tag": "#95a1e3",
    "--ms-syntax-name": "#b7a7dd",
    "--ms-syntax-value": "#8fcaa9",
    "--ms-syntax-variable": "#ebc066",
    "--ms-syntax-block": "#e68a84",
    "--ms-notice": "#ebc066",
    "--ms-notice-ground": "#2a2414",
    "--ms-shadow": "0 1px 2px rgb(0 0 0 / 40%), 0 4px 16px rgb(0 0 0 / 25%)",
  },
})
