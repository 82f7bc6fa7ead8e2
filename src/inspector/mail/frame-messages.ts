/** Messages between the inspector and the page that shows emails. */

export interface MessageToFrame {
  kind: 'mail-show'
  html: string
  theme: 'light' | 'dark'
}

export type MessageFromFrame =
  | { kind: 'mail-ready' }
  | { kind: 'mail-clicked'; url: string }
  | { kind: 'mail-sized'; height: number }

export const isForFrame = (data: unknown): data is MessageToFrame =>
  kindOf(data) === 'mail-show' &&
  typeof (data as MessageToFrame).html === 'string' &&
  /^(light|dark)$/.test((data as MessageToFrame).theme)

export const isFromFrame = (data: unknown): data is MessageFromFrame =>
  kindOf(data) === 'mail-ready' ||
  (kindOf(data) === 'mail-clicked' && typeof (data as { url: unknown }).url === 'string') ||
  (kindOf(data) === 'mail-sized' && typeof (data as { height: unknown }).height === 'number')

const kindOf = (data: unknown): unknown => (data as { kind?: unknown } | null)?.kind
