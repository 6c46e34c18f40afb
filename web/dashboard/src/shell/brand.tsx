import './brand.css';

export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path d="M5 21h22M8 21a8 8 0 0 1 16 0M16 13v8" />
      </svg>
      itembridge
    </span>
  );
}
