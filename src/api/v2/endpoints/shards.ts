import { getShards } from './getShards.ts'

/** The name that older clients know. */
export const shards = { ...getShards, name: 'shards', summary: 'The same as getShards.' } as const
