import { isRecord } from '../../words/json.ts'

type Fields = Record<string, unknown>

export interface List {
  /** The field that holds the list. */
  name: string
  rows: Fields[]
  /** The other fields of the answer, such as the cursor. */
  rest: Fields
}

/** Finds the one list of records in an answer; undefined if the answer is a record itself. */
export function listIn(answer: unknown): List | undefined {
  if (!isRecord(answer)) return undefined
  const lists = Object.entries(answer).filter((entry): entry is [string, Fields[]] => isRecords(entry[1]))
  // A record has lists too, but no next page.
  const few = Object.keys(answer).length <= 5 || 'has_more' in answer
  if (lists.length !== 1 || !few) return undefined
  const [name, rows] = lists[0]!
  const { [name]: _, ...rest } = answer
  return { name, rows, rest }
}

export const isRecords = (value: unknown): value is Fields[] => Array.isArray(value) && value.every(isRecord)
