/** The pages of the inspector, by the name in their address, in the order of the navigation. */
export const INSPECTOR_PAGES = [
  ...(['messages', 'handsets', 'mailboxes', 'compose', 'time', 'network', 'worlds', 'campaigns'] as const),
  ...(['agents', 'contacts', 'billing', 'events', 'webhooks', 'requests', 'api'] as const),
]

export type InspectorPage = (typeof INSPECTOR_PAGES)[number]

const RECORDS = { msg: 'messages', ag: 'agents', c: 'contacts', evt: 'events', req: 'requests' } as const

/** The page of a record, by its id, phone number or address. */
export function pageOfRecord(id: string) {
  if (/^\+\d{4,}$/.test(id)) return 'handsets'
  if (/^\S+@\S+$/.test(id)) return 'mailboxes'
  const prefix = /^([a-z]+)_/.exec(id)?.[1]
  return prefix !== undefined && Object.hasOwn(RECORDS, prefix) ? RECORDS[prefix as keyof typeof RECORDS] : undefined
}
