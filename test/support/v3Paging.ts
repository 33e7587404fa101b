import assert from 'node:assert/strict'
import { getV3, type Json } from './v3Client.ts'
import { askBothWays } from './v3Oracle.ts'

type Args = { readonly [name: string]: unknown }

/** All rows of a list at once, which must be the same as page by page, by cursor and by offset. */
export const listEverything = async (url: string, name: string, key: string, args: Args = {}): Promise<Json[]> => {
  const all: Json[] = (await askBothWays(url, name, { ...args, limit: 1000 }))[key]
  const size = Math.max(1, Math.ceil(all.length / 3))
  const bare = { ...args, limit: size, x_no_address_book: true, x_no_metadata: true }
  const byCursor: Json[] = []
  const byOffset: Json[] = []
  let cursor: string | undefined
  do {
    const { body, headers, status } = await getV3(`${url}/api/v3`, name, { ...bare, cursor })
    assert.equal(status, 200, `${name} ${JSON.stringify(args)}: ${JSON.stringify(body)}`)
    byOffset.push(...(await getV3(`${url}/api/v3`, name, { ...bare, offset: byOffset.length })).body[key])
    byCursor.push(...body[key])
    cursor = headers.get('x-next-cursor') ?? undefined
  } while (cursor !== undefined)
  assert.deepEqual(byCursor, all, `${name} ${JSON.stringify(args)} by cursor`)
  assert.deepEqual(byOffset, all, `${name} ${JSON.stringify(args)} by offset`)
  return all
}
