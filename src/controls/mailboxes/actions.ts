import type { z } from 'zod'
import { magicLayer, magicRecipientOf, mailServerOf } from '../../network/carriers/actions.ts'
import { type Behaviour, strongest } from '../../network/carriers/behaviour.ts'
import { checkSettings, mailboxes, mailboxOf } from '../../network/mailboxes/actions.ts'
import { changedSettings, DECIDED_BY, layerOf, overriddenBy } from '../../network/mailboxes/rules.ts'
import { recipientByEmail } from '../../service/contacts/actions.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { toEmail } from '../../words/email-address.ts'
import { formatRange } from '../../words/range.ts'
import type { Action } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { inboxOf } from '../inbox/actions.ts'
import type * as contract from './contract.ts'
import type { EffectiveMailbox } from './contract.ts'

export function addressOf(text: string): string {
  const address = toEmail(text)
  if (!address) throw brokenField('address', 'invalid_email', `${text} is not an email address such as ada@example.com`)
  return address
}

export const list: Action<typeof contract.listMailboxes> = (world) => ({
  mailboxes: [...mailboxes.of(world).keys()].map((address) => toAnswer(world, address)),
})

export const show: Action<typeof contract.showMailbox> = (world, { params }) =>
  toAnswer(world, addressOf(params.address))

export const set: Action<typeof contract.setMailbox> = (world, { params, body }) => {
  const address = addressOf(params.address)
  const settings = changedSettings(mailboxOf(world, address) ?? {}, body)
  checkSettings(settings)
  mailboxes.set(world, address.toLowerCase(), settings)
  return toAnswer(world, address)
}

export const reset: Action<typeof contract.resetMailbox> = (world, { params }) => {
  const address = addressOf(params.address)
  mailboxes.set(world, address.toLowerCase(), {})
  return toAnswer(world, address)
}

export const inbox: Action<typeof contract.showMailboxInbox> = (world, { params, query }) =>
  inboxOf(world, addressOf(params.address), query.limit)

/** The effective settings of a mailbox, whichever layer set them. */
function toAnswer(world: World, address: string): z.input<typeof EffectiveMailbox> {
  const settings = mailboxOf(world, address) ?? {}
  const magic = magicLayer(world, address)
  const layers = [magic, layerOf(settings)].filter((layer) => !!layer)
  const settingOf = <F extends keyof Behaviour>(field: F) => strongest(layers, field)?.sets[field]
  const mail = mailServerOf(world)
  const contact = recipientByEmail(world, address)
  const decided = Object.entries(DECIDED_BY).flatMap(([field, by]) => {
    const layer = strongest(layers, by)
    return layer ? [[field, layer.from as 'magic recipient' | 'mailbox']] : []
  })
  return {
    address,
    bounces: strongest(layers, 'outcome')?.sets.bounce_type ?? null,
    opens: settingOf('opened') ?? null,
    clicks: settingOf('clicked') ?? null,
    complains: settingOf('complained') ?? null,
    unsubscribes: settingOf('unsubscribed') ?? false,
    delivery_delay: formatRange(settingOf('delivery_delay') ?? mail.delivery_delay),
    open_delay: formatRange(settingOf('open_delay') ?? mail.open_delay),
    click_delay: formatRange(settingOf('click_delay') ?? mail.click_delay),
    from: Object.fromEntries(decided),
    overridden: overriddenBy(magic?.sets, settings),
    does: magicRecipientOf(world, address)?.does ?? null,
    contact: contact ? { id: contact.id, status: contact.status } : null,
  }
}
