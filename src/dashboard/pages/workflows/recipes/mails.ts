/** The mail of a step of a recipe: a template is made of it. */
interface RecipeMail {
  readonly name: string
  readonly subject: string
  readonly paragraphs: readonly string[]
}

export const mails: Readonly<Record<string, RecipeMail>> = {
  "welcome-hello": {
    name: "Welcome: hello",
    subject: "Welcome, {{firstName ?? friend}}",
    paragraphs: ["it is good to have you here.", "Answer this mail if anything is unclear: somebody reads it."],
  },
  "welcome-first": {
    name: "Welcome: first steps",
    subject: "The first steps",
    paragraphs: ["most people begin with these three things.", "Write them here, each with a link."],
  },
  "welcome-help": {
    name: "Welcome: can we help?",
    subject: "Can we help?",
    paragraphs: ["you have not begun yet.", "Tell us what is missing, and we will see what we can do."],
  },
  "cart-remind": {
    name: "Cart: reminder",
    subject: "Your cart is still here",
    paragraphs: ["you left something in your cart.", "It is kept for you for a few days."],
  },
  "cart-last": {
    name: "Cart: last reminder",
    subject: "Shall we keep your cart?",
    paragraphs: ["your cart is emptied tomorrow.", "If something held you back, answer this mail."],
  },
  "win-miss": {
    name: "Win-back: we miss you",
    subject: "It has been a while",
    paragraphs: ["we have not seen you for some time.", "Say here what is worth coming back for."],
  },
  "win-offer": {
    name: "Win-back: what is new",
    subject: "What is new since you were here",
    paragraphs: ["much has changed since your last visit.", "Name the one thing that matters most."],
  },
  "trial-soon": {
    name: "Trial: three days left",
    subject: "Three days left",
    paragraphs: ["your trial ends in three days.", "Say here what stays and what is lost without an upgrade."],
  },
  "trial-last": {
    name: "Trial: ends tomorrow",
    subject: "Your trial ends tomorrow",
    paragraphs: ["tomorrow is the last day of your trial.", "Put the link to the upgrade here."],
  },
  "order-thanks": {
    name: "Order: thank you",
    subject: "Thank you for your order",
    paragraphs: ["thank you for your order.", "Say here what happens next, and when it arrives."],
  },
  "order-review": {
    name: "Order: how was it?",
    subject: "How was it?",
    paragraphs: ["your order should have arrived by now.", "Ask here for a review, with one link."],
  },
}

export const bodyOf = ({ paragraphs }: RecipeMail): string =>
  ["<p>Hello {{firstName ?? there}},</p>", ...paragraphs.map((text) => `<p>${text}</p>`), "<p>All the best</p>"].join(
    "\n\n",
  )
