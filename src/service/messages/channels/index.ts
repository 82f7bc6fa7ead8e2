import type { ChannelType } from '../../../words/vocabulary.ts'
import type { MessageChannel } from './channel.ts'
import { email } from './email.ts'
import { rcs } from './rcs.ts'
import { sms } from './sms.ts'

export const channels: Readonly<Record<ChannelType, MessageChannel>> = { RCS: rcs, EMAIL: email, SMS: sms }
