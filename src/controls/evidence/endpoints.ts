import { type AttemptListener, attemptListeners } from '../../service/webhooks/listeners.ts'
import { lazilyFor } from '../../words/lazy.ts'
import { redactSecrets } from '../../words/redact.ts'
import { hooked } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'

/**
 * The URL of each endpoint that got an attempt. Receivers are often removed at the end of a test, before its evidence is
 * written, so this outlives the endpoint. It is no state of the world.
 */
const urlsOf = lazilyFor((_: World) => new Map<string, string>())

export const endpointUrls: (world: World) => ReadonlyMap<string, string> = urlsOf

const noteUrl: AttemptListener = (world, _event, url, _made, endpointId) => {
  const urls = urlsOf(world)
  if (!urls.has(endpointId)) urls.set(endpointId, redactSecrets(url))
}

export const endpointHooks = [hooked(attemptListeners, noteUrl)]
