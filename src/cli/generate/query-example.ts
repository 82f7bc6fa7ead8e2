import { isFields, nameOf } from '../../client/answer-check.ts'
import { answerShapes } from '../../client/answer-shapes.ts'

/** The value of --query for two fields of a list, such as `messages[].{id: id, status: status}`; undefined for a record. */
export function queryFor(id: string, columns: readonly string[] | undefined): string | undefined {
  const shape = answerShapes[id]
  if (!shape || !isFields(shape)) return undefined
  const lists = Object.entries(shape).flatMap(([name, of]) =>
    Array.isArray(of) && isFields(of[0]) ? [{ name: nameOf(name), fields: of[0] }] : [],
  )
  const [list] = lists
  // Of several lists none is the answer, and a record may have lists too (output/rows.ts).
  const isRecord = Object.keys(shape).length > 5 && !Object.keys(shape).map(nameOf).includes('has_more')
  if (!list || lists.length > 1 || isRecord) return undefined
  const names = columns ?? Object.keys(list.fields).filter((name) => typeof list.fields[name] === 'string')
  const [first, second] = names.map(nameOf)
  return first && second && `${list.name}[].{${first}: ${first}, ${second}: ${second}}`
}
