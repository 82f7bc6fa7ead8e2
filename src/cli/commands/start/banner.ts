type Line = readonly [address: string, what: string]

/** The magic recipients used most, as far as this world has them; `sandbox world show` lists all. */
export function magicTable(recipients: unknown): readonly Line[] {
  const known = new Set(((recipients ?? []) as { address: string }[]).map(({ address }) => address))
  return LINES.filter(([address]) => known.has(address.split(' ')[0]!))
}

const LINES: readonly Line[] = [
  ['+491713920000', 'delivered, then read'],
  ['+491713920001', 'delivered, never read'],
  ['+491713920010', 'not RCS-capable: 404 at send'],
  ['+491713920011 … 15', 'failed: UNKNOWN_RCS_USER, CARRIER_NOT_LAUNCHED, REJECTED_SPAM, …'],
  ['+491713920020', 'phone off: expires at its ttl'],
  ['+491713920030 … 32', 'replies "Hello", taps the first suggestion, replies STOP'],
  ['+491713920040 … 43', 'blocked, consent revoked, consent pending, no consent'],
  ['delivered@sandbox.test', 'also opened@, clicked@, bounced@, complained@, suppressed@'],
]
