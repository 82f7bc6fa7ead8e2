import { definedFields } from '../../words/fields.ts'
import { type CarrierChange, type CarrierProfile, ownFields } from './contract.ts'
import { presets } from './presets.ts'

/** `opened+label@sandbox.test` is the same recipient as `opened@sandbox.test`. */
export const withoutLabel = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

/** Chooses the carrier of an ordinary number by weight, from one draw. */
export function carrierByDraw(carriers: readonly CarrierProfile[], draw: number): CarrierProfile {
  const total = carriers.reduce((sum, { weight }) => sum + weight, 0)
  let upTo = 0
  for (const carrier of carriers) {
    upTo += carrier.weight / total
    if (draw < upTo) return carrier
  }
  return carriers.at(-1)!
}

/** Returns when the next message may leave after one at `lastAt`, in ms. A throughput of 3 a second is one every 333⅓ ms. */
export const nextPlace = (lastAt: number, throughput: number | null | undefined): number =>
  throughput == null ? lastAt : lastAt + 1_000 / throughput

/** Rounds the instant of a place to whole ms. A rounding error of the sum does not make it a ms too early. */
export const instantOf = (at: number): number => Math.floor(at + 0.001)

/** Returns the carrier after a change: first the preset, then the other fields. `delivered` becomes the remaining share. */
export function changedCarrier(before: CarrierProfile, { preset, ...settings }: CarrierChange): CarrierProfile {
  return { ...before, ...(preset && presets[preset]), ...definedFields(settings), delivered: undefined }
}

/** Lists the fields in which two profiles differ. The same value in another notation is no difference. */
export function changedFieldsOf(original: CarrierProfile, now: CarrierProfile): string[] {
  const text = (profile: CarrierProfile, field: string) =>
    JSON.stringify(profile[field as keyof CarrierProfile] ?? null)
  return ownFields.filter((field) => text(original, field) !== text(now, field))
}
