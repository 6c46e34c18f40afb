<?php

// PHP has no compiler that looks further than one file: this loads all of them, with what they extend.

require getenv('GUZZLE_AUTOLOAD');
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/client/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) require_once $file;
});

$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator(__DIR__ . '/client/lib', FilesystemIterator::SKIP_DOTS));
foreach ($files as $file) require_once $file->getPathname();
