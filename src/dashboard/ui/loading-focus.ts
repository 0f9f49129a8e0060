/**
 * Returns the focus to a button that lost it to the document because it is disabled while its request is under way. In a
 * dialog, Tab would go on in the page behind it. The focus stays where it is if it has moved meanwhile.
 */
export function keepFocusWhileLoading(page: Document): void {
  page.addEventListener("focusout", ({ target }) => {
    if (!(target instanceof HTMLButtonElement && target.matches(":disabled[data-loading]"))) return
    const end = new MutationObserver(() => {
      if (target.matches("[data-loading]")) return
      end.disconnect()
      if (page.activeElement === page.body) target.focus()
    })
    end.observe(target, { attributeFilter: ["data-loading", "disabled"] })
  })
}
