interface Shares {
  delivered?: number | undefined
  failed: Readonly<Record<string, number | undefined>>
  never_delivered: number
}

/** Rounds away the floating-point error of sums of shares. */
export const neat = (share: number) => Number(share.toPrecision(12))

const failedOf = ({ failed }: Pick<Shares, 'failed'>): number =>
  neat(Object.values(failed).reduce<number>((total, share) => total + (share ?? 0), 0))

/** Computes the share that neither fails nor is lost. */
export const deliveredOf = (shares: Shares): number => neat(1 - failedOf(shares) - shares.never_delivered)

/** Every message has one outcome. Without `delivered`, it is the remaining share. */
export const doAddUp = (shares: Shares): boolean =>
  shares.delivered === undefined ? deliveredOf(shares) >= 0 : deliveredOf(shares) === neat(shares.delivered)

/** Describes why shares do not add up. */
export function notAddingUp(shares: Shares): string {
  const { delivered, never_delivered } = shares
  const failed = failedOf(shares)
  const others = `failed ${failed} + never_delivered ${never_delivered}`
  if (delivered === undefined)
    return `${others} is ${neat(failed + never_delivered)}, and together they can be at most 1`
  const hint = deliveredOf(shares) >= 0 ? `; leave delivered out, and it is ${deliveredOf(shares)}` : ''
  return `delivered ${delivered} + ${others} is ${neat(delivered + failed + never_delivered)}, and must be 1${hint}`
}
