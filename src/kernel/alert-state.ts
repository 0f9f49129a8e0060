/** A condition that the owner of the instance is alerted to while it lasts (contract B8.3.24). */
export interface AlertState {
  /** Names it, for example `disk` or `transport smtp://relay.example.com:587`; it is stored while it lasts. */
  readonly key: string
  /** Undefined while it is unknown: its alert then neither begins nor ends. */
  readonly active: boolean | undefined
  /** Describes the problem and what to do about it. */
  readonly sentence: string
}
