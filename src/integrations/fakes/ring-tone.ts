/** Returns a WAV file with a ringing tone of six seconds, 8 kHz, 8 bit. Generated, so that it has no copyright. */
export function createRingingTone(): Buffer {
  const seconds = 6
  const rate = 8000
  const samples = Buffer.alloc(rate * seconds)
  for (let at = 0; at < samples.length; at++) {
    const second = at / rate
    const on = second % 3 < 1 // rings a second, waits two
    const wave = Math.sin(2 * Math.PI * 440 * second) + Math.sin(2 * Math.PI * 480 * second)
    samples[at] = 128 + (on ? Math.round(wave * 30) : 0)
  }
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20) // PCM
  head.writeUInt16LE(1, 22) // one channel
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}
