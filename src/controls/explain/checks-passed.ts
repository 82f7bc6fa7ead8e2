import { magicLayer } from '../../network/carriers/actions.ts'
import { deviceOf, handsetOf } from '../../network/handsets/actions.ts'
import { senderById, TEST_CHANNEL_ID } from '../../service/agents/shared.ts'
import { channelById } from '../../service/channels/actions.ts'
import { consentRecordsOf } from '../../service/consent/actions.ts'
import { contactByRef } from '../../service/contacts/actions.ts'
import { openSession } from '../../service/conversations/actions.ts'
import type { MessageRow } from '../../service/messages/actions.ts'
import { consentTypeOf, needsGrant } from '../../service/messages/channels/rules.ts'
import { isoTime, parseIsoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { Reason } from './contract.ts'
import { reasonNow, reasonThen } from './reason.ts'

/**
 * Lists the checks that a send has passed, in the order in which they are made (interface §4.2), and why it passed
 * each.
 */
export const checksPassed = (world: World, row: MessageRow): Reason[] =>
  [
    sender(world, row),
    row.campaign_id && reasonThen('campaign', `sent by campaign ${row.campaign_id}`, { id: row.campaign_id }),
    row.template_id && reasonThen('content', `made from template ${row.template_id}`, { id: row.template_id }),
    contact(world, row),
    consent(world, row),
    session(world, row),
    row.channel === 'RCS' && device(world, row),
    reasonThen('ttl', `${row.ttl ?? '30 days (default)'}; expires at ${isoTime(row.expires_at!)}`),
  ].filter((reason) => reason !== undefined && reason !== null && reason !== false && reason !== '')

function sender(world: World, { channel, agent_id, channel_id, message_type }: MessageRow): Reason {
  if (channel !== 'RCS') {
    const found = channelById(world, channel_id!)
    const domain = channel === 'EMAIL' ? ', its domain verified' : ''
    return reasonThen('channel', `${channel_id} (${found?.name}) is active${domain}, and permits ${message_type}`, {
      id: channel_id,
    })
  }
  const agent = senderById(world, agent_id!)!
  const since = agent.status === 'APPROVED' ? '' : `; it is ${agent.status} now`
  return reasonThen(
    'sender',
    `${agent_id} was APPROVED and launched, and ${agent.use_case} permits ${message_type}${since}`,
    {
      id: agent_id,
    },
  )
}

function contact(world: World, { contact_id }: MessageRow): Reason {
  const found = contactByRef(world, contact_id)
  if (!found) return reasonNow('contact', `${contact_id} was not suppressed; it has been deleted`, { id: contact_id })
  return found.status === 'ACTIVE'
    ? reasonThen('contact', `${contact_id} was not suppressed`, { id: contact_id })
    : reasonNow('contact', `${contact_id} was not suppressed; it is ${found.status} now`, { id: contact_id })
}

/** The record is chosen by choices, "Consent that a send needs". */
function consent(world: World, row: MessageRow): Reason {
  if (row.channel_id === TEST_CHANNEL_ID)
    return reasonThen('consent', 'the number is verified for the Test Agent, which counts as consent')
  if (needsGrant(row.channel, row.message_type)) return recordOf(world, row)
  const why = row.channel === 'EMAIL' ? 'an action-based email (MESSAGE) needs none' : 'none needed within a session'
  return reasonThen('consent', `${why}; (${row.channel}, MESSAGE) was not REVOKED`)
}

function recordOf(world: World, { contact_id, channel, message_type, created_at }: MessageRow): Reason {
  const type = consentTypeOf(message_type)
  const pair = `(${channel}, ${type})`
  const records = consentRecordsOf(world, contact_id)
  const record = records.find((one) => one.channel_type === channel && one.message_type === type)
  if (!record) return reasonNow('consent', `${pair} was GRANTED; the record was deleted with its contact since`)
  const { id, status, granted_at, revoked_at, source } = record
  const wasThen = granted_at !== null && parseIsoTime(granted_at) <= created_at
  if (status === 'GRANTED' && wasThen)
    return reasonThen('consent', `${id} ${pair} was GRANTED, since ${granted_at}, source "${source}"`, { id })
  if (status === 'REVOKED')
    return reasonNow('consent', `${id} ${pair} was GRANTED; it was REVOKED at ${revoked_at}`, { id })
  return reasonNow('consent', `${id} ${pair} was GRANTED; the record was replaced since and is now ${status}`, { id })
}

function session(world: World, { message_type, agent_id, recipient, created_at }: MessageRow): Reason | undefined {
  if (message_type !== 'CONVERSATION') return undefined
  const open = openSession(world, agent_id!, recipient)
  if (!open || open.started_at > created_at)
    return reasonNow('session', 'a session with this phone was open; it has ended since')
  const until = isoTime(open.expires_at)
  return reasonNow('session', `open with this phone from ${isoTime(open.started_at)} until ${until}`)
}

function device(world: World, { recipient }: MessageRow): Reason {
  const magic = magicLayer(world, recipient)
  if (magic?.sets.outcome !== undefined)
    return reasonThen('device', `RCS-capable: ${recipient} is a magic recipient with an outcome on RCS`)
  const set = handsetOf(world, recipient)?.rcs_capable
  if (!deviceOf(world, recipient).rcsCapable)
    return reasonNow('device', 'was RCS-capable; RCS has been turned off for the handset since')
  return set === undefined
    ? reasonThen('device', 'RCS-capable, the default of every handset')
    : reasonNow('device', 'RCS-capable, set for this handset')
}
