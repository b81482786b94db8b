// Times npm's json-schema-diff on labelled pairs: `npm install json-schema-diff`, then `node json_schema_diff_peer.js FILE`.
const fs = require('fs');
const { diffSchemas } = require('json-schema-diff');

async function main() {
  const count = { right: 0, unsafe: 0, 'false alarm': 0, failed: 0 };
  const times = [];
  for (const one of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
    const expected = one.expected ?? one.compatible_strict;
    const start = process.hrtime.bigint();
    let answer = null;
    try {
      const found = await diffSchemas({ sourceSchema: one.old, destinationSchema: one.new });
      answer = !found.removalsFound;
    } catch (error) {
      answer = null;
    }
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
    if (answer === null) count.failed += 1;
    else if (answer === expected) count.right += 1;
    else count[answer ? 'unsafe' : 'false alarm'] += 1;
  }
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor((times.length * part) / 100))].toFixed(2);
  console.log(count);
  console.log(`median ${at(50)} ms, p95 ${at(95)} ms, worst ${at(100)} ms`);
}

main();
