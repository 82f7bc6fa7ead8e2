/** A node answers for a namespace in an epoch. Changes are refused when that is over, so none comes late. */
export interface Fence {
  readonly namespace: string
  readonly epoch: number
}
