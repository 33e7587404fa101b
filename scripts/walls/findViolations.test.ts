import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeTree } from '../../test/support/writeTree.ts'
import { findViolations } from './findViolations.ts'

const cases: { name: string; files: Record<string, string>; packages?: string[]; expected: string[] }[] = [
  {
    name: 'a layer may import what its row names, itself and Node',
    files: {
      'src/primitives/hex.ts': "import { createHash } from 'node:crypto'\nexport const hex = createHash\n",
      'src/codec/cell/boc.ts': "import { hex } from '../../primitives/hex.ts'\nexport const boc = hex\n",
      'src/codec/tl/read.ts': "import { boc } from '../cell/boc.ts'\nexport const read = boc\n",
      'src/cli/main.ts':
        "import { readFileSync } from 'node:fs'\nexport const x = readFileSync\nexport { read } from '../codec/tl/read.ts'\n",
    },
    expected: [],
  },
  {
    name: 'a wrong import is named with its line and the row it breaks',
    files: {
      'src/store/reader/list.ts':
        "import { a } from '../../chain/a.ts'\n\nimport { v } from '../../api/v2/views/view.ts'\nexport const r = [a, v]\n",
      'src/chain/a.ts': 'export const a = 1\n',
      'src/api/v2/views/view.ts': 'export const v = 1\n',
    },
    expected: [
      'src/store/reader/list.ts:3 imports src/api/v2/views/view.ts: store may import primitives, chain, observe, not api/v2',
    ],
  },
  {
    name: 'a type is an import too, and so are a dynamic import, a re-export and an import type',
    files: {
      'src/indexer/a.ts': "import type { N } from '../node/n.ts'\nexport type A = N\n",
      'src/indexer/b.ts': "export const b = () => import('../node/n.ts')\n",
      'src/indexer/c.ts': "export { n } from '../node/n.ts'\n",
      'src/indexer/d.ts': "export type D = import('../node/n.ts').N\n",
      'src/node/n.ts': 'export type N = 1\nexport const n = 1\n',
    },
    expected: ['a', 'b', 'c', 'd'].map(
      (name) =>
        `src/indexer/${name}.ts:1 imports src/node/n.ts: indexer may import primitives, codec, chain, contracts, actions, store, observe, not node`,
    ),
  },
  {
    name: 'the explorer may import types of the interfaces and nothing that runs',
    files: {
      'src/explorer/right.ts':
        "import type { V } from '../api/v3/views/v.ts'\nimport { type V as W } from '../api/v3/views/v.ts'\nexport type R = V | W\n",
      'src/explorer/wrong.ts': "import { v } from '../api/v3/views/v.ts'\nexport const w = v\n",
      'src/api/v3/views/v.ts': 'export type V = 1\nexport const v = 1\n',
    },
    expected: [
      'src/explorer/wrong.ts:1 imports src/api/v3/views/v.ts: explorer may import client and types of api/core, api/v2, api/v3, api/debug, api/dev, api/emulate, api/streaming, api/webhooks, not api/v3',
    ],
  },
  {
    name: 'pure folders take neither a package nor a module of Node that reaches outside',
    files: {
      'src/codec/a.ts': "import { readFileSync } from 'node:fs'\nexport const a = readFileSync\n",
      'src/primitives/b.ts': "import { sha } from 'some-package/deep'\nexport const b = sha\n",
    },
    packages: ['some-package'],
    expected: [
      'src/codec/a.ts:1 imports node:fs: codec only computes, and outside our code it may import node:crypto only',
      'src/primitives/b.ts:1 imports some-package: primitives only computes, and outside our code it may import node:crypto only',
    ],
  },
  {
    name: 'an npm package has to be a dependency',
    files: {
      'src/store/schema/a.ts': "import pg from 'pg'\nimport copy from '@scope/copy/x'\nexport const a = [pg, copy]\n",
    },
    packages: ['pg'],
    expected: [
      'src/store/schema/a.ts:2 imports @scope/copy: it is not among the dependencies in package.json, so an installed package would not have it',
    ],
  },
  {
    name: 'what is bundled need not be a dependency, of the pages only',
    files: {
      'src/explorer/main.tsx':
        "import { render } from 'preact'\nimport { x } from 'left-pad'\nexport const a = [render, x]\n",
      'src/cli/page.ts': "import { render } from 'preact'\nexport const a = render\n",
    },
    expected: [
      'src/cli/page.ts:1 imports preact: it is not among the dependencies in package.json, so an installed package would not have it',
      'src/explorer/main.tsx:2 imports left-pad: it is not among the dependencies in package.json, so an installed package would not have it',
    ],
  },
  {
    name: 'sources import neither tests nor anything outside src; tests import what they like',
    files: {
      'src/observe/a.ts':
        "import { b } from './b.test.ts'\nimport { s } from '../../test/support/s.ts'\nexport const a = [b, s]\n",
      'src/observe/b.test.ts': "import '../cli/main.ts'\nimport 'fast-check'\nexport const b = 1\n",
    },
    expected: [
      'src/observe/a.ts:1 imports src/observe/b.test.ts: sources never import test or bench files',
      'src/observe/a.ts:2 imports test/support/s.ts: sources import nothing outside src',
    ],
  },
  {
    name: 'a cycle is shown in full',
    files: {
      'src/chain/a.ts': "import { b } from './b.ts'\nexport const a = () => b\n",
      'src/chain/b.ts': "import { c } from './c.ts'\nexport const b = () => c\n",
      'src/chain/c.ts': "import { a } from './a.ts'\nexport const c = () => a\n",
    },
    expected: ['import cycle: src/chain/a.ts -> src/chain/b.ts -> src/chain/c.ts -> src/chain/a.ts'],
  },
  {
    name: 'inside the store imports point one way, too',
    files: {
      'src/store/errors.ts': 'export const e = 1\n',
      'src/store/connect/a.ts': "import '../errors.ts'\nimport '../reader/b.ts'\nexport const a = 1\n",
      'src/store/reader/b.ts': "import '../schema/c.ts'\nexport const b = 1\n",
      'src/store/schema/c.ts': 'export const c = 1\n',
      'src/store/stray.ts': 'export const d = 1\n',
    },
    expected: [
      'src/store/stray.ts is in no folder of the table in scripts/walls/rules.ts',
      'src/store/connect/a.ts:2 imports src/store/reader/b.ts: store/connect may import store/errors.ts, store/schema, store/distributed, not store/reader',
    ],
  },
  {
    name: 'a folder that is not in the table is refused',
    files: { 'src/utils/a.ts': 'export const a = 1\n' },
    expected: ['src/utils/a.ts is in no folder of the table in scripts/walls/rules.ts'],
  },
]

for (const { name, files, packages = [], expected } of cases) {
  test(name, (t) => {
    assert.deepEqual(findViolations(writeTree(t, files), packages), expected)
  })
}
