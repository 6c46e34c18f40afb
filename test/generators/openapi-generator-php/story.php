<?php

// The story of README.md with what openapi-generator makes for PHP.

use OpenAPI\Client\Api\ItemsApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\AutoPartsDomain;
use OpenAPI\Client\Model\AutoPartsSlug;
use OpenAPI\Client\Model\ConditionGrade;
use OpenAPI\Client\Model\ItemRequest;
use OpenAPI\Client\Model\ItemView;

// Guzzle as Debian installs it; with Composer this is vendor/autoload.php.
require getenv('GUZZLE_AUTOLOAD');
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/client/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) require_once $file;
});

$configuration = (new Configuration())
    ->setHost(getenv('ITEMBRIDGE_URL'))
    ->setApiKey('x-api-key', getenv('ITEMBRIDGE_API_KEY'));
$api = new ItemsApi(null, $configuration);
$item = fn(string $title, float $price, array $images = [], ?AutoPartsDomain $domain = null) => new ItemRequest(
    array_filter(['title' => $title, 'price' => $price, 'image_urls' => $images, 'domain' => $domain], fn($value) => $value !== null)
);

// The generated ItemDomain knows only the last of its variants' slugs: give the variant itself.
$part = new AutoPartsDomain(['domain' => AutoPartsSlug::AUTO_PARTS, 'condition_grade' => ConditionGrade::A_STAR]);
$created = $api->upsertItem('CHECK-1', $item('Strålkastare Volvo V70', 149999.99, [], $part));
$api->upsertItem('CHECK-2', $item('Emaljkanna, blå', 149.5));

$read = $api->getItem('CHECK-1', ItemView::FULL);

try {
    $api->upsertItem('CHECK-3', $item('Backspegel', 149.999, ['http://images.example.com/1.jpg']));
    throw new LogicException('the wrong item was taken');
} catch (ApiException $refusal) {
    $refused = $refusal->getResponseObject();
}

$listed = [];
$cursor = null;
do {
    $page = $api->listItems(1, $cursor);
    foreach ($page->getItems() as $entry) $listed[] = $entry->getExternalId();
    $cursor = $page->getNextCursor();
} while ($cursor !== null);

echo json_encode([
    'message' => $created->getMessage(),
    'price' => $read->getPrice(),
    'status' => $refusal->getCode(),
    'code' => $refused->getCode(),
    'fields' => array_map(fn($problem) => $problem->getField(), $refused->getDetails()),
    'listed' => $listed,
], JSON_THROW_ON_ERROR), "\n";
