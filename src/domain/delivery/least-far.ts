import type { Delivery } from './delivery.ts'

const STATES: readonly Delivery['state'][] = ['stored', 'replicated', 'seen']

/** The state of the delivery that has come least far; undefined where it concerns nobody else. */
export const leastFar = (deliveries: readonly Delivery[]): Delivery['state'] | undefined =>
  STATES.find((state) => deliveries.some((one) => one.state === state))
