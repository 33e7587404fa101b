import assert from 'node:assert/strict'
import { getV3, type Json, type V3Answer } from './v3Client.ts'
import { askBothWays } from './v3Oracle.ts'

/** A list that an endpoint gives out. */
export type V3List = { readonly name: string; readonly member: string }

/**
 * The whole list, page by page by cursor. The beginning is asked for in both dialects and held against the published description, and
 * one page by offset must be the same.
 */
export const readV3List = async (url: string, { name, member }: V3List, args: object): Promise<Json[]> => {
  const start: Json[] = (await askBothWays(url, name, { ...args, limit: 12 }))[member]
  const pageSize = start.length < 12 ? Math.max(2, Math.ceil(start.length / 2)) : 80
  const whole: Json[] = []
  const ask = async (place: object): Promise<V3Answer> => {
    const page = await getV3(`${url}/api/v3`, name, { ...args, limit: pageSize, ...place })
    assert.equal(page.status, 200, JSON.stringify(page.body))
    return page
  }
  let cursor: string | undefined
  do {
    const { body, headers } = await ask({ cursor })
    whole.push(...body[member])
    cursor = headers.get('x-next-cursor') ?? undefined
    assert.ok(whole.length < 2000, 'pages repeat themselves')
  } while (cursor !== undefined)
  assert.deepEqual(start, whole.slice(0, 12))
  const offset = Math.floor(whole.length / 3)
  const { body } = await ask({ offset, limit: 7 })
  assert.deepEqual(body[member], whole.slice(offset, offset + 7))
  return whole
}
