export default function Changelog() {
  return null
}
