/** Something that the owner of the instance should know for as long as it lasts (contract B8.3.24). */
export interface AlertState {
  /** Names it, for example `disk` or `transport smtp://relay.example.com:587`; it is stored while it lasts. */
  readonly key: string
  /** Undefined while it cannot be told: its alert then neither begins nor ends. */
  readonly active: boolean | undefined
  /** What is the matter and what to do. */
  readonly sentence: string
}
