import { listFiles } from '../../scripts/listFiles.ts'
import { repository } from './childScript.ts'
import { readPieces } from './docPieces.ts'

/**
 * How the tests cover a code block of a page:
 * run — it runs as it stands there, but for placeholders;
 * parse — a command for another network or machine: the program parses its settings, the shell its syntax; or JSON;
 * part — a part of a file that a test has whole;
 * shown — nothing here can run it: a picture, or a file of another program.
 */
export type Coverage = 'run' | 'parse' | 'part' | 'shown'

/** Of each page, its blocks in order. */
export const coverage: { readonly [page: string]: readonly Coverage[] } = {
  'README.md': ['parse', 'run', 'run', 'run', 'run', 'parse', 'parse'],
  'docs/architecture.md': ['run', 'shown'],
  'docs/benchmarks.md': ['parse', 'parse', 'parse'],
  'docs/capacity.md': ['parse'],
  'docs/clients.md': ['parse'],
  'docs/compatibility.md': ['parse'],
  'docs/data-model.md': ['parse'],
  'docs/debugger.md': ['parse', 'shown', 'run', 'run'],
  'docs/emulate.md': ['run', 'run', 'run'],
  'docs/first-run.md': ['parse', 'shown'],
  'docs/fork.md': ['parse', 'part', 'parse'],
  'docs/message-layouts.md': ['run'],
  'docs/move-your-client.md': ['run', 'run', 'run', 'run', 'run', 'run', 'run'],
  'docs/operations.md': ['parse', 'parse', 'parse', 'parse', 'parse', 'parse', 'parse', 'parse', 'parse', 'parse'],
  'docs/self-hosting.md': [
    'parse',
    'parse',
    'parse',
    'parse',
    'parse',
    'parse',
    'shown',
    'parse',
    'parse',
    'parse',
    'parse',
  ],
  'docs/settings.md': ['parse'],
  'docs/streaming.md': ['run', 'run', 'run', 'run', 'run', 'run', 'run', 'run'],
  'docs/testing.md': ['run', 'part', 'part', 'run', 'run', 'run', 'shown', 'run', 'parse', 'run'],
  'docs/webhooks.md': ['run', 'run', 'run', 'run', 'run'],
}

/** The pages that have code blocks, and how many. */
export const countBlocks = (): { readonly [page: string]: number } => {
  const pages = ['README.md', ...listFiles(repository, ['docs'], ['.md']).filter((page) => /^docs\/[^/]+$/.test(page))]
  const counts = pages.map((page) => [page, readPieces(page).length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
