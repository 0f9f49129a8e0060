interface Outcomes {
  readonly sent: number
  readonly delivered: number
  readonly bounced: number
}

/**
 * Whether the number of delivered mails says anything: providers report deliveries, most mail servers do not, and then it
 * is 0 whatever arrived.
 */
export const isDeliveryReported = ({ sent, delivered, bounced }: Outcomes): boolean => delivered > 0 || sent <= bounced

/** What is shown instead. */
export const notReported = "none reported"
