import assert from 'node:assert/strict'
import { askBothWays, getV3, type Json } from './v3Oracle.ts'

/** A list that an endpoint gives out. */
export type V3List = { readonly name: string; readonly member: string }

/**
 * The whole list, asked for in one piece in both dialects and held against the published description; page by page by cursor and by
 * offset it must be the same.
 */
export const readV3List = async (url: string, { name, member }: V3List, args: object): Promise<Json[]> => {
  const whole: Json[] = (await askBothWays(url, name, { ...args, limit: 1000 }))[member]
  assert.ok(whole.length < 1000, 'the list is longer than a page')
  const pageSize = Math.max(2, Math.ceil(whole.length / 3))
  const byCursor: Json[] = []
  const byOffset: Json[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await getV3(`${url}/api/v3`, name, { ...args, limit: pageSize, cursor })
    assert.equal(page.status, 200, JSON.stringify(page.body))
    const other = await getV3(`${url}/api/v3`, name, { ...args, limit: pageSize, offset: byOffset.length })
    byCursor.push(...page.body[member])
    byOffset.push(...other.body[member])
    cursor = page.headers.get('x-next-cursor') ?? undefined
    assert.equal(cursor === undefined, other.headers.get('x-next-cursor') === null)
    assert.ok(byCursor.length <= whole.length, 'pages repeat themselves')
  }
  const hashes = (rows: Json[]) => rows.map(({ hash }) => hash)
  assert.deepEqual(hashes(byCursor), hashes(whole))
  assert.deepEqual(hashes(byOffset), hashes(whole))
  assert.deepEqual(byCursor, whole)
  return whole
}
