// Before a release: the tag (TAG), the version of package.json and the changelog must agree, and package.json must name the repository
// (REPOSITORY) that publishes it, since npm compares it with the provenance statement.
import { readFileSync } from 'node:fs'

const { TAG, REPOSITORY } = process.env
const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8'))
const expectations = [
  [TAG === `v${version}`, `The tag is ${TAG}, and package.json has version ${version}.`],
  [
    readFileSync('CHANGELOG.md', 'utf8').includes(`\n## ${version}\n`),
    `CHANGELOG.md has no section ${version}: run npm run changelog first.`,
  ],
  [
    repository.url === `git+${REPOSITORY}.git`,
    `package.json names the repository ${repository.url}; set it to git+${REPOSITORY}.git, and homepage and bugs with it.`,
  ],
]
for (const [holds, problem] of expectations) if (!holds) console.error(problem)
process.exitCode = expectations.every(([holds]) => holds) ? 0 : 1
