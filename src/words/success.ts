/** Whether an HTTP status is one of success (2xx). */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300
