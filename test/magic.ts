/** Fixed parts of the default world: ids, and recipients with a known outcome. */

/** `U(n)`: the UUID whose last group is n. */
export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** The phone `+49 171 39200 NN`. */
export const phone = (nn: number) => `+491713920${String(nn).padStart(3, '0')}`

/** The contact of the magic phone NN. */
export const contactOf = (nn: number) => `c_${uuid(nn)}`

export const agents = {
  /** MULTI_USE, CONVERSATIONAL, newsletters, launched on all three carriers. */
  multi: `ag_live_${uuid(1)}`,
  otp: `ag_live_${uuid(2)}`,
  transactional: `ag_live_${uuid(3)}`,
  promotional: `ag_live_${uuid(4)}`,
  draft: `ag_draft_${uuid(5)}`,
  /** MULTI_USE, launched on one carrier only. */
  regional: `ag_live_${uuid(6)}`,
}

export const channels = {
  email: `ch_${uuid(1)}`,
  emailUnverified: `ch_${uuid(2)}`,
  emailInactive: `ch_${uuid(3)}`,
  sms: `ch_${uuid(4)}`,
  /** Of the agent `multi`. */
  rcs: `ch_${uuid(5)}`,
}

export const templates = {
  /** EMAIL; needs `name` and `order_id`. */
  orderConfirmation: `tpl_${uuid(1)}`,
  /** RCS; needs `name` and `eta`. */
  deliveryNotice: `tpl_${uuid(2)}`,
}

export const campaigns = {
  /** API trigger, one SEND to the tag `campaign-demo`. */
  demo: uuid(101),
  scheduled: uuid(102),
  /** API trigger, `fallback: none`, some of its audience ineligible. */
  partial: uuid(103),
}

export const phones = {
  readsAll: phone(0),
  neverReads: phone(1),
  notCapable: phone(10),
  unknownUser: phone(11),
  carrierNotLaunched: phone(12),
  rejectedAsSpam: phone(13),
  accountSuspended: phone(14),
  expiresByItself: phone(15),
  /** Switched off: messages expire at their ttl. */
  off: phone(20),
  after30Seconds: phone(21),
  after1Hour: phone(22),
  repliesHello: phone(30),
  tapsFirstSuggestion: phone(31),
  repliesStop: phone(32),
  blocked: phone(40),
  consentRevoked: phone(41),
  consentPending: phone(42),
  noContact: phone(43),
  /** An ordinary phone with consent; 50 to 99 all are. */
  ordinary: phone(50),
}

export const emails = {
  delivered: 'delivered@sandbox.test',
  opened: 'opened@sandbox.test',
  clicked: 'clicked@sandbox.test',
  bounced: 'bounced@sandbox.test',
  softBounced: 'soft-bounced@sandbox.test',
  complained: 'complained@sandbox.test',
  suppressed: 'suppressed@sandbox.test',
}

/** The contact of a magic email address. */
export const emailContacts = Object.fromEntries(
  Object.keys(emails).map((name, i) => [name, `c_${uuid(201 + i)}`]),
) as Record<keyof typeof emails, string>

/** The least that an RCS text needs besides `to`. */
export const rcsText = {
  agent_id: agents.multi,
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: 'Your order is on its way' },
} as const

/** A double opt-in by email. */
export const emailOptIn = {
  channel_type: 'EMAIL',
  message_type: 'NEWSLETTER',
  status: 'PENDING',
  source: 'form',
  enforced_doi: true,
  doi_channel: 'EMAIL',
} as const
