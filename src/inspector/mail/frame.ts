import './frame.css'
import { isForFrame, type MessageFromFrame } from './frame-messages.ts'
import { safeHtml } from './safe-html.ts'

/**
 * Runs in mail.html: shows the inspector's HTML in a sandboxed frame and reports clicked links. The frame runs no
 * script, submits no form and opens nothing; this page's policy prevents loading.
 */

const post = (message: MessageFromFrame) => parent.postMessage(message, location.origin)

addEventListener('message', ({ data, origin, source }) => {
  if (origin !== location.origin || source !== parent || !isForFrame(data)) return
  const frame = document.createElement('iframe')
  // Same origin lets this page observe clicks; without allow-scripts the frame runs nothing.
  frame.sandbox.add('allow-same-origin')
  frame.title = 'The email'
  // The email sees this as the preferred colour scheme.
  document.documentElement.dataset.theme = data.theme
  const html = safeHtml(data.html, location.search === '?media=allow', data.theme)
  // Not srcdoc: its style sheets would send the address of this page to the servers of their pictures.
  frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html;charset=utf-8' }))
  frame.addEventListener('load', () => {
    URL.revokeObjectURL(frame.src)
    listen(frame.contentDocument!)
    reportHeight(frame.contentDocument!.body)
  })
  document.body.replaceChildren(frame)
})

function listen(mail: Document) {
  // Captures the click before the browser follows the link.
  mail.addEventListener('click', stop, { capture: true })
  mail.addEventListener('auxclick', stop, { capture: true })
  mail.addEventListener('keydown', (event) => event.key === 'Enter' && stop(event), { capture: true })
  mail.addEventListener('submit', (event) => event.preventDefault(), { capture: true })
}

const MARGINS_PX = 32

/** Reports how high the email is, also when its width has changed. */
const reportHeight = (body: HTMLElement) =>
  new ResizeObserver(() => post({ kind: 'mail-sized', height: Math.ceil(body.scrollHeight) + MARGINS_PX })).observe(
    body,
  )

function stop(event: Event) {
  event.preventDefault()
  const link = (event.target as Element | null)?.closest?.('[data-link]')
  if (link) post({ kind: 'mail-clicked', url: link.getAttribute('data-link')! })
}

post({ kind: 'mail-ready' })
