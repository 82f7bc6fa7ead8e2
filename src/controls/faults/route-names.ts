import { brokenFields } from '../../words/broken-fields.ts'
import { isControl, patternOf, requestLineOf, type Operation as WholeOperation } from '../../words/operation.ts'
import type { Detail } from '../../words/problem.ts'
import { nearest } from '../../words/suggest.ts'
import type { FaultInput } from './contract.ts'

/** Only these are known before the schemas of an operation are loaded. */
type Operation = Pick<WholeOperation, 'id' | 'method' | 'path'>

const familyOf = ({ id }: Pick<Operation, 'id'>) => `${id.slice(0, id.indexOf('.'))}.*`

/** Removes the names of path parameters, so that `/messages/{id}` equals `/messages/:id`. */
const shapeOf = (path: string) => path.replace(/\{[^}/]*\}|:\w+/g, '{}').replace(/\/$/, '')

/** `post:/v1/messages` → `POST /v1/messages`; other names stay. */
function canonical(name: string): string {
  const [, method, path] = /^([a-z]+)\s*[:\s]\s*(\/.*)$/i.exec(name.trim()) ?? []
  return path === undefined ? name.trim() : `${method!.toUpperCase()} ${path}`
}

/** All names by which a fault can select an operation. */
const namesOf = (operation: Operation): string[] => [
  operation.id,
  familyOf(operation),
  '*',
  shapeOf(requestLineOf(operation)),
  shapeOf(operation.path),
]

/** Returns whether a route name selects an operation. Operations of the control plane are never selected. */
export const isRouteOf = (name: string, operation: Operation): boolean =>
  !isControl(operation) && namesOf(operation).includes(shapeOf(canonical(name)))

export function refuseUnknownRoutes({ routes = [] }: FaultInput, operations: readonly Operation[]) {
  const details = routes.flatMap((name, i): Detail[] =>
    operations.some((operation) => isRouteOf(name, operation))
      ? []
      : [{ field: `routes[${i}]`, code: 'unknown_route', message: unknownRouteText(name, operations) }],
  )
  if (details.length > 0) throw brokenFields(details, 'fault')
}

function isControlRoute(name: string, operations: readonly Operation[]): boolean {
  if (name.includes('/_sandbox')) return true
  const family = operations.filter((operation) => familyOf(operation) === familyOf({ id: name }))
  // Some control operations belong to the server and are missing here; their family is known.
  return family.length > 0 && (family.some(({ id }) => id === name) || family.every(isControl))
}

function unknownRouteText(name: string, operations: readonly Operation[]): string {
  const shown = name.slice(0, 100)
  if (isControlRoute(name, operations))
    return `"${shown}" belongs to the control plane, which faults never affect, so that they can be undone`
  const near = nearestRoute(
    canonical(name),
    operations.filter((operation) => !isControl(operation)),
  )
  return `unknown route "${shown}"${near ? `, did you mean "${near}"?` : ': docs/api.md lists all routes; * stands for every route'}`
}

function nearestRoute(name: string, faultable: readonly Operation[]): string | undefined {
  // The user may have written an id in place of a parameter.
  const meant = faultable.find((operation) => patternOf(requestLineOf(operation)).test(name))
  if (meant) return requestLineOf(meant)
  return nearest(name, [
    ...new Set(faultable.flatMap((operation) => [operation.id, familyOf(operation), requestLineOf(operation)])),
  ])
}
