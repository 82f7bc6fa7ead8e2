import type { Reason, Subject } from './contract.ts'

type More = { id?: string | null | undefined; draw?: number | undefined }

const reason =
  (as_of: Reason['as_of']) =>
  (about: Subject, says: string, { id, draw }: More = {}): Reason => ({
    about,
    says,
    ...(id == null ? {} : { id }),
    ...(draw === undefined ? {} : { draw }),
    as_of,
  })

/** A fact as it was at the step that it explains. */
export const was = reason('then')

/** A fact as it is now; it may have changed since the step. */
export const is = reason('now')

export const drawn = (draw: number): string => `draw ${draw.toFixed(4)}`
