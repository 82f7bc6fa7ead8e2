import { isStop, STOP_EFFECT } from '../../words/stop.ts'
import type { Reason, ReasonSubject } from './contract.ts'

type ReasonOptions = { id?: string | null | undefined; draw?: number | undefined }

const reason =
  (as_of: Reason['as_of']) =>
  (about: ReasonSubject, says: string, { id, draw }: ReasonOptions = {}): Reason => ({
    about,
    says,
    ...(id == null ? {} : { id }),
    ...(draw === undefined ? {} : { draw }),
    as_of,
  })

/** A reason as of the step that it explains. */
export const reasonThen = reason('then')

/** A reason as of now, which may have changed since the step. */
export const reasonNow = reason('now')

export const drawText = (draw: number): string => `draw ${draw.toFixed(4)}`

/** A reply STOP looks like an opt-out. */
export const whyStop = (text: string, contactId: string): Reason[] =>
  isStop(text)
    ? [reasonThen('consent', `${STOP_EFFECT}. By hand: sandbox consent revoke ${contactId} --channel-type RCS`)]
    : []
