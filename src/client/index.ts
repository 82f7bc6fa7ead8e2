export { Unreachable } from '../http/exchange.ts'
export { type ClientOptions, Refusal } from './call.ts'
export { type Client, createClient } from './client.ts'
export { InvalidAnswer } from './invalid-answer.ts'
