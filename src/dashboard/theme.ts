import { createTheme, defaultVariantColorsResolver, type VariantColorsResolver } from "@mantine/core"

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
      styles: {
        title: { fontSize: "1rem", fontWeight: 650, overflowWrap: "anywhere" },
        body: { overflowWrap: "anywhere" },
      },
    },
    Drawer: { defaultProps: overlay },
    // Its name is of no use to a screen reader without a role that may have one.
    Loader: { defaultProps: { role: "img" } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } },
    SegmentedControl: {
      defaultProps: { withItemsBorders: false },
      styles: { label: { fontWeight: 500 } },
    },
    // Otherwise its list scrolls sideways.
    Select: { styles: { option: { overflowWrap: "anywhere" } } },
    Menu: { defaultProps: { shadow: "lg" } },
    Popover: { defaultProps: { shadow: "lg", radius: "md" } },
  },
  fontFamily: "var(--ms-font)",
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
