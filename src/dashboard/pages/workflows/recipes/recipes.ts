/** A workflow to start from. */
export interface Recipe {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly eventName: string
  readonly allowReentry: boolean
}

export const recipes: readonly Recipe[] = [
  {
    id: "welcome",
    name: "Welcome series",
    about: "Three mails in the first week after somebody signs up.",
    eventName: "signup",
    allowReentry: false,
  },
  {
    id: "cart",
    name: "Abandoned cart",
    about: "Reminds of a cart, unless the order comes.",
    eventName: "cart.updated",
    allowReentry: true,
  },
  {
    id: "win-back",
    name: "Win-back",
    about: "Writes to those who have not been seen for long, and lets go of those who stay away.",
    eventName: "segment.inactive.entry",
    allowReentry: true,
  },
  {
    id: "trial",
    name: "Trial ending",
    about: "Says before the end of a trial what is lost, and leaves those alone who have upgraded.",
    eventName: "trial.started",
    allowReentry: false,
  },
  {
    id: "post-purchase",
    name: "Post-purchase",
    about: "Thanks for an order, and asks for a review when it has arrived.",
    eventName: "order.placed",
    allowReentry: true,
  },
]
