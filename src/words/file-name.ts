/** Names of namespaces and snapshots, which become names of files. */
export const PATTERN = /^[a-z0-9_-]{1,64}$/

/** Windows reserves the names of its devices, and a data folder may be moved there. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/

export const isFileName = (name: string): boolean => PATTERN.test(name) && !DEVICE.test(name)

export const FILE_NAME_FAULT = 'must have 1 to 64 of a-z, 0-9, - and _, and not be a device name of Windows such as con'
