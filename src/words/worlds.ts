/** The world files of the package, in fixtures/worlds. */
export const WORLD_NAMES = ['default', 'empty', 'low-balance', 'outage', 'newsletter', 'campaigns', 'strict'] as const
