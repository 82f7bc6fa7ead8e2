import type { Activity, DeliveryActivity, EventActivity, RequestActivity } from '../../../words/activity.ts'
import { DEFAULT_NAMESPACE } from '../../../words/api-key.ts'
import type { Output } from '../../output/output.ts'
import type { Paint } from '../../output/paint.ts'

/** Prints a line for each request, event and delivery, and one for each day that a namespace reaches. */
export function activityTeller(output: Output) {
  const days = new Map<string, string>()
  return (activity: Activity) =>
    output.item(activity, (paint, shown) => {
      const where = shown.namespace === DEFAULT_NAMESPACE ? '' : paint.dim(`  ${shown.namespace}`)
      const [day = '', time = ''] = shown.at.split('T')
      const isNewDay = days.get(shown.namespace) !== day
      days.set(shown.namespace, day)
      const line = `${paint.dim(time.slice(0, 8))}  ${textOf(shown, paint)}${where}`
      return isNewDay ? `${paint.dim(day)}${where}\n${line}` : line
    })
}

function textOf(activity: Activity, paint: Paint): string {
  if (activity.type === 'request') return request(activity, paint)
  return activity.type === 'event' ? event(activity, paint) : delivery(activity, paint)
}

function request({ method, path, status, error, duration_ms }: RequestActivity, paint: Paint): string {
  const colour = status === null || status >= 500 ? paint.red : status >= 400 ? paint.yellow : paint.green
  const parts = [colour(String(status ?? 'no answer')), error, paint.dim(`${duration_ms} ms`)]
  return `${paint.bold(method.padEnd(6))} ${path}  ${parts.filter(Boolean).join(' ')}`
}

const event = ({ event, subject }: EventActivity, paint: Paint): string =>
  `${paint.cyan('event ')} ${event}  ${paint.dim(subject)}`

function delivery({ event, url, attempt, status_code, error }: DeliveryActivity, paint: Paint): string {
  const came = error === null ? paint.green(String(status_code)) : paint.red(error)
  const again = attempt > 1 ? paint.dim(`  attempt ${attempt}`) : ''
  return `${paint.cyan('post  ')} ${event} → ${url}  ${came}${again}`
}
