/** The worlds that come with the package, each a file in fixtures/worlds. */
export const WORLD_NAMES = ['default', 'empty', 'low-balance', 'outage', 'newsletter', 'campaigns', 'strict'] as const
