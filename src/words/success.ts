/** Whether a status of HTTP says that a request was carried out. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300
