/** Whether all that a masterchain block includes is there; `unknown` where nobody can say what that is. */
export type BlockStatus = 'complete' | 'incomplete' | 'unknown'

export type HeadSearch = {
  /** The highest seqno up to this one of which there is a masterchain block. */
  findSeqnoUpTo(seqno: number): Promise<number | undefined>
  getStatus(seqno: number): Promise<BlockStatus>
}

/** An incomplete block is given up as lost when so many after it are complete; until then they wait for it. */
export const LOST_AFTER = 16
// An archive full of holes is not searched to its start.
const MAX_LOST = 1024

/**
 * The seqno of the newest complete masterchain block that does not have to wait for an earlier one. A node that is catching up
 * may have masterchain blocks far ahead of its shard blocks, so the search takes ever larger steps down, then bisects.
 */
export const findNewestHead = async (search: HeadSearch): Promise<number | undefined> => {
  const top = await search.findSeqnoUpTo(0xffff_ffff)
  const found = top === undefined ? undefined : await findSomeComplete(search, top)
  if (found === undefined) return undefined
  return waitForEarlier(search, await bisect(search, found.complete, found.incomplete))
}

const findSomeComplete = async (
  search: HeadSearch,
  top: number,
): Promise<{ readonly complete: number; readonly incomplete: number } | undefined> => {
  let incomplete = top + 1
  let step = 1
  for (let seqno: number | undefined = top, tries = 0; seqno !== undefined; tries++) {
    if ((await search.getStatus(seqno)) === 'complete') return { complete: seqno, incomplete }
    incomplete = seqno
    if (tries >= LOST_AFTER) step *= 2
    seqno = await search.findSeqnoUpTo(incomplete - step)
    while (seqno === undefined && step > 1) {
      step = Math.floor(step / 2)
      seqno = await search.findSeqnoUpTo(incomplete - step)
    }
  }
  return undefined
}

const bisect = async (search: HeadSearch, complete: number, incomplete: number): Promise<number> => {
  let newest = complete
  let low = complete
  let high = incomplete
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const seqno = await search.findSeqnoUpTo(middle)
    if (seqno === undefined || seqno <= newest) low = middle
    else if ((await search.getStatus(seqno)) === 'complete') {
      newest = seqno
      low = middle
    } else high = seqno
  }
  return newest
}

const waitForEarlier = async (search: HeadSearch, complete: number): Promise<number | undefined> => {
  let newest: number | undefined = complete
  for (let seqno = complete - 1, lost = 0; seqno > (newest ?? seqno) - LOST_AFTER && lost < MAX_LOST; seqno--) {
    const status = await search.getStatus(seqno)
    if (status === 'unknown') break
    if (status === 'incomplete') {
      newest = undefined
      lost++
    } else newest ??= seqno
  }
  return newest
}
