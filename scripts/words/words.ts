/** A word that this project does not use, and what to write instead. */
export type Word = {
  readonly pattern: RegExp
  readonly write: string
  /** Only files whose path begins so. */
  readonly within?: RegExp
}

const word = (pattern: RegExp, write: string, within?: RegExp): Word =>
  within === undefined ? { pattern, write } : { pattern, write, within }

/** Exported names of src. Patterns look for whole words of a name: `Surface` is not `Face`. */
export const names: readonly Word[] = [
  word(/(^|[a-z])Face(?![a-z])|^faces?(?![a-z])/, 'Liteserver'),
  word(/Question/i, 'Filter (of a list), Query (of the database) or Request'),
  word(/(^|[a-z])Gate(?![a-z])|^gate(?![a-z])/, 'AccessControl (of HTTP requests) or Semaphore'),
  word(/fores(ee|aw)|forecast/i, 'Emulated or Pending'),
  word(/Wish(es)?(?![a-z])|^wish/, 'Options or Criteria'),
  word(/Shelf|shelf/, 'Arena or BufferPool'),
  word(/Sieve|^sieve/, 'BloomFilter'),
  word(/(^|[a-z])Places?(?![a-z])|^places?Of$/, 'Offset, Position or Endpoint, whichever it is'),
  word(/[fF]igures?(?![a-z])/, 'Metrics or Stats'),
  word(/(^|[a-z])Turns(?![a-z])|Begun/, 'WriteQueue'),
  word(/WorkClock/, 'StallWatchdog'),
  word(/JoinedReads|joinPages/i, 'QueryBatcher, or another name with Batch'),
  word(
    /^Answers(Options)?$|Kept(Answer|Token|States|Server)|Held(Config|Token)/,
    'ResponseCache, or a name with Cache or Cached',
  ),
  word(/respell/i, 'applyDialect'),
  word(/^passOn|AskLive/, 'proxyToV2, or another name with Proxy'),
  word(/^believ/i, 'skipProofChecks, passed as an argument'),
  word(/(^|[a-z])Apart(?![a-z])|^apart/, 'SlowLane'),
  word(/[bB]eyond(?![a-z])/, 'Lookahead'),
  word(
    /(^|[a-z])Units?(?![a-z])|^units?(?![a-z])/,
    'McBlockSet (a masterchain block with its shard blocks) or Batch',
    /^src\/(indexer|cli|store)\//,
  ),
  word(/[dD]ivided/, 'Partitioned', /^src\/(indexer|cli|store)\//),
  word(/(^|[a-z])Lead$|^lead$/, 'Leader or Writer'),
]

/** Log messages, help, settings, errors, summaries, texts of pages, and the documentation. */
export const texts: readonly Word[] = [
  // Sentences without an actor.
  word(
    /\bis (asked|tried|waited for|started|read|sent) again\b/i,
    'the actor and "retries", "restarts" or "re-acquires"',
  ),
  word(/\bit is (tried|waited for|asked)\b/i, 'the actor and an active verb ("the indexer retries")'),
  word(/\b(which|that) is waited for\b/i, '"waiting for …"'),
  word(/\bcannot be had\b/i, '"is not available" or "cannot be fetched"'),
  word(/\bwhoever\b|\bsomebody\b/i, 'the noun: the caller, the operator, the wallet'),
  word(/\bnobody foresaw\b/i, '"internal error (please report)"'),
  word(/\bfor himself\b/i, 'the sentence without it'),
  word(/\b(may|might) be asked of\b/i, '"rate limit of …"'),
  word(/\bwhat (it|he|she|they) (has|have) to say\b/i, 'the noun: the fields, the parameters'),
  word(
    /\bis no (valid )?(address|hash|number|boolean|url|key|port|block|cell|bag of cells|duration|date)\b/i,
    '"is not a valid …: <reason>"',
  ),
  word(/\ba tenth of its price\b/i, '"ten times cheaper"'),
  // Words of our own for things that have a name.
  word(/\bthe lead\b|\blead is (lost|taken)\b/i, '"leader" or "leadership"'),
  word(/\bone (that|who) writes\b/i, '"leader" or "writer"'),
  word(/\bforese(e|es|en|eing)\b|\bforesaw\b|\bforecasts?\b/i, '"emulated" or "pending"'),
  word(/\bin step\b/i, '"in sync"'),
  word(/\bfigures\b/i, '"metrics" or "stats"'),
  word(/(?<!\bin )\bquestions?\b/i, '"query" (database) or "request" (HTTP, liteserver)'),
  word(/\b(lite)?faces?\b(?! value)/i, '"liteserver"'),
  word(/\bkept (answers?|connections?)\b|\banswers? (is|are) kept\b/i, '"cached response" or "keep-alive connection"'),
  word(/\b(tables?|index) (that )?(is|are) divided\b|\bdivided (tables?|index)\b/i, '"partitioned"'),
  word(/\bdropped history has left\b/i, '"cleanup after retention"'),
  word(/\bsie(ve|ves)\b/i, '"Bloom filter"'),
  word(/\bmessages? (that comes? |that came )?from outside\b|\bthose from outside\b/i, '"external-in message"'),
  word(/\bwallets? of several owners\b/i, '"multisig wallet"'),
  word(/\bnames and where they lead\b/i, '"DNS records"'),
  word(/\bif it fails: (comes back|stays)\b|\bcomes back if\b/i, '"Bounce: yes" or "Bounce: no"'),
  word(/\bpass(es|ed)? (it |them )?on to v2\b/i, '"proxies to v2"'),
  word(/\bGRAM\b/, 'the symbol of the coin from the settings (--coin-symbol)'),
]

/** Log messages only: what an operator greps for. */
export const logWords: readonly Word[] = [
  word(/\bwhat is\b|\bthat which\b|\bthose that\b/i, 'the noun'),
  word(/\b(is|are) (gone|known|had|foreseen)\b/i, 'a field word: lost, missing, unavailable'),
  word(/\bgoes on\b/i, '"resumed"'),
  word(/\bkept\b|\bheld\b/i, '"cached" or "stored"'),
  word(/^[A-Z][a-z]/, 'a lower-case phrase'),
  word(/\.$/, 'a phrase without a full stop'),
]
