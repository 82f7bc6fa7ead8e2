import { type AnswerShape, answerShapes } from '../../client/answer-shapes.ts'

type Fields = { readonly [field: string]: AnswerShape }

const isFields = (shape: AnswerShape): shape is Fields => typeof shape === 'object' && !Array.isArray(shape)

/** The value of --query for two fields of a list, such as `messages[].{id: id, status: status}`; undefined for a record. */
export function queryFor(id: string, columns: readonly string[] | undefined): string | undefined {
  const shape = answerShapes[id]
  if (!shape || !isFields(shape)) return undefined
  const lists = Object.entries(shape).flatMap(([name, of]) =>
    Array.isArray(of) && isFields(of[0]) ? [{ name: plain(name), fields: of[0] as Fields }] : [],
  )
  const [list] = lists
  // Of several lists none is the answer, and a record may have lists too (output/rows.ts).
  const isRecord = Object.keys(shape).length > 5 && !Object.keys(shape).map(plain).includes('has_more')
  if (!list || lists.length > 1 || isRecord) return undefined
  const names = columns ?? Object.keys(list.fields).filter((name) => typeof list.fields[name] === 'string')
  const [first, second] = names.map(plain)
  return first && second && `${list.name}[].{${first}: ${first}, ${second}: ${second}}`
}

/** A field that must be there is marked in a shape. */
const plain = (name: string) => name.replace(/!$/, '')
